// What an installation is called where it has no name of its own.

export const product_name = 'Chatledger';
