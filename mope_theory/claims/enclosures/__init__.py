"""Enclosures of claims whose files hold many, one module a topic: each function takes the statement that it encloses."""
