"""Small parts that several windows are built of."""
