// What is wrong with the certificate of whoever answers, and what to do about it.

const unsigned =
  'its certificate is signed by nobody whom this program trusts: name the file of your own authority in ' +
  'NODE_EXTRA_CA_CERTS, or set NODE_USE_SYSTEM_CA=1 where the machine trusts it';

/** By the codes of https://nodejs.org/api/tls.html#x509-certificate-error-codes; some libraries keep only the words that come with them. */
const kinds: readonly [code: RegExp, words: RegExp, sentence: string][] = [
  [/^CERT_HAS_EXPIRED$/, /certificate has expired/, 'its certificate has expired'],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    /match certificate's altnames/,
    'its certificate is for other names than the one that was asked for',
  ],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT(_LOCALLY)?|VERIFY_LEAF_SIGNATURE))$/,
    /self-signed certificate|unable to (get (local )?issuer certificate|verify the first certificate)/,
    unsigned,
  ],
];

/** A sentence about it, from the error of a connection or what is behind it; undefined for every other error. */
export function certificateProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message, cause } = error as Error & { code?: unknown };
  const kind = kinds.find(([codes, words]) => codes.test(String(code)) || words.test(message));
  return kind?.[2] ?? certificateProblem(cause);
}
