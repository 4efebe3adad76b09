// The headers of everything that leaves a port: pages, API, files and refusals alike.
import type { ServerResponse } from 'node:http';
import onHeaders from 'on-headers';

/** Defaults, unless the answer sets them. */
export const standing = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  // TRICKY: no-referrer would send the forms of our own pages without an origin.
  'referrer-policy': 'same-origin',
} as const;

/** Answers without an ETag must not be stored; those with one may be cached by the reader and revalidated. */
export function protect(response: ServerResponse): void {
  for (const [name, value] of Object.entries(standing)) response.setHeader(name, value);
  onHeaders(response, function (this: ServerResponse) {
    const control = String(this.getHeader('cache-control') ?? '');
    if (/\bimmutable\b/.test(control)) return;
    if (!this.hasHeader('etag') || this.statusCode >= 400) this.setHeader('cache-control', 'no-store');
    else if (control === '') this.setHeader('cache-control', 'private, no-cache');
    const csp = String(this.getHeader('content-security-policy'));
    if (!csp.includes('frame-ancestors')) this.setHeader('content-security-policy', `${csp}; ${frames}`);
  });
}

/** For a shared page: its link must not leak to other sites, and pages of these origins may embed it. */
export function protectShared(response: ServerResponse, embedders: readonly string[]): void {
  onHeaders(response, function (this: ServerResponse) {
    this.setHeader('referrer-policy', 'no-referrer');
    this.removeHeader('etag');
    this.setHeader('cache-control', 'no-store');
    if (embedders.length === 0) return;
    this.removeHeader('x-frame-options');
    const named = `frame-ancestors ${embedders.join(' ')}`;
    const csp = String(this.getHeader('content-security-policy')).replace(frames, named);
    this.setHeader('content-security-policy', csp);
  });
}

const frames = "frame-ancestors 'none'";
