"""Generated LLVM code shared by trainers: small matrix products, updates, sigmoid loss and sparse
rows.
"""
