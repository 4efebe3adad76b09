// Errors of the v3 Web APIs: type, default message, optional data, and the HTTP status of each type.

export interface ErrorBodyV3 {
  error: { type: string; message: string; data?: Record<string, unknown> | undefined };
}

/** Types and messages come from the documentation; it names no statuses, so they are the ones that clients report. */
export const errorsV3 = {
  agent_offline: [422, 'Agent offline'],
  authentication: [401, 'Authentication error'],
  authorization: [403, 'Authorization error'],
  chat_inactive: [422, 'No active chat thread'],
  customer_banned: [403, 'Customer is banned'],
  entity_too_large: [413, 'Upload limit exceeded (10MB).'],
  greeting_not_found: [404, 'Greeting not found'],
  group_not_found: [404, 'Group not found'],
  group_offline: [422, 'Group is offline'],
  group_unavailable: [422, 'No agent available for group'],
  groups_offline: [422, 'Groups offline'],
  internal: [500, 'Internal server error'],
  license_expired: [403, 'License expired'],
  license_not_found: [404, 'License not found'],
  limit_reached: [422, 'Resource limit reached'],
  misdirected_request: [421, 'Wrong region'],
  missing_access: [403, 'Missing access'],
  not_found: [404, 'Not found'],
  request_timeout: [408, 'Request timed out'],
  service_unavailable: [503, 'Not accepting new requests'],
  too_many_requests: [429, 'Too many requests'],
  unsupported_version: [400, 'Unsupported version'],
  validation: [422, 'Wrong format of request'],
  wrong_product_version: [403, 'Wrong product version'],
} as const satisfies Record<string, readonly [status: number, message: string]>;
export type ErrorTypeV3 = keyof typeof errorsV3;

/** The body of an error; `message` replaces the default message where a more specific one exists. */
export const errorV3 = (
  type: ErrorTypeV3,
  message: string = errorsV3[type][1],
  data?: Record<string, unknown>,
): ErrorBodyV3 => ({ error: { type, message, ...(data && { data }) } });
