"""Generated machine code that several trainers share: small matrix products, updates, sigmoid, sparse rows."""
