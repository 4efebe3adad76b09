// What an installation is called, and its colour, where it has none of its own.

export const product_name = 'Chatledger';
/** In light. */
export const product_accent = '#0b5c96';
