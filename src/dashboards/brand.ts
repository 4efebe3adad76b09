// What an installation is called, and its colour, where it has none of its own; and how large its logo may be.

export const product_name = 'Chatledger';
/** In light. */
export const product_accent = '#0b5c96';

export const most_logo_bytes = 40_000;
