"""Main content against gold: words, sets, peers; the training of the weights."""
