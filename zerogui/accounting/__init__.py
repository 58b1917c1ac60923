"""What every rank stores: pure integer arithmetic, no I/O, standard library only."""
