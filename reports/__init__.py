"""What people read: figures, workbook, typeset document. Shows, and computes nothing."""
