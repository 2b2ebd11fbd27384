import '../shared/host';
