"""What may be ordered: the orders of all chapters, and the book that makes and reads them."""
