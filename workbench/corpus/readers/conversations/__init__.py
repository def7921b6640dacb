"""Readers of conversations: transcripts, and chats as messengers export them. What is said is
text; who says it and when are columns.
"""
