// In words: a connection that did not come about or broke off.

/** What became of a connection that was there, or was waited for, by the code of the error. */
export const brokenOff: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: 'it took the question and stayed silent',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
  ETIMEDOUT: 'no connection came about in time',
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed before an answer came',
};

/** Why there was nobody to connect to, by the code of the error. */
export const nobodyThere: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name cannot be looked up just now',
  EHOSTUNREACH: 'there is no way to that machine',
  ENETUNREACH: 'there is no way to that network',
};
