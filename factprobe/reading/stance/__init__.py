"""What a reply says of the names in it."""
