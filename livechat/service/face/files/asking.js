// Requests of the page to the two chat APIs, the words of their refusals, and how often the page asks again.

const { license, client } = document.documentElement.dataset;
export const clientId = client;

/** A no of the service; `type` is that of the v3 APIs, or `network` without an answer. */
export class Refused extends Error {
  constructor(type, message) {
    super(message);
    this.type = type;
  }
}

async function answered(path, request) {
  let response;
  try {
    response = await fetch(path, request);
  } catch {
    throw new Refused('network', 'The service does not answer.');
  }
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  const { type = body.error, message = body.error_description } = body.error ?? {};
  throw new Refused(type ?? 'internal', message ?? `The service answered ${response.status}.`);
}

const asJson = (body, token) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
  body: JSON.stringify(body),
});

/** An action of the Agent Chat Web API. */
export const agentAction = (name, token, body = {}) => answered(`/v3.5/agent/action/${name}`, asJson(body, token));

/** An action of the Customer Chat Web API. */
export const customerAction = (name, token, body = {}) =>
  answered(`/v3.3/customer/action/${name}?license_id=${license}`, asJson(body, token));

export function uploadOfCustomer(token, file) {
  const body = new FormData();
  body.set('file', file);
  const headers = { authorization: `Bearer ${token}` };
  return answered(`/v3.3/customer/action/upload_file?license_id=${license}`, { method: 'POST', headers, body });
}

export const customerToken = () =>
  answered(
    '/customer/token',
    asJson({ client_id: client, license_id: Number(license), grant_type: 'cookie', response_type: 'token' }),
  );

/** A request to the OAuth endpoints, with the fields of a form. */
export const oauth = (endpoint, fields) =>
  answered(`/oauth/${endpoint}`, { method: 'POST', body: new URLSearchParams({ client_id: client, ...fields }) });

const usual = 1_500;
const hidden = 15_000;
const longest = 30_000;

/**
 * Runs `work` again and again: every 1.5 s while the page is visible, seldom while it is hidden, and ever less often while it fails.
 * What it returns asks at once.
 */
export function poll(work, onFailure) {
  let timer;
  let failures = 0;
  let is_running = false;
  let is_wanted = false;
  async function run() {
    clearTimeout(timer);
    if (is_running) {
      is_wanted = true;
      return;
    }
    is_running = true;
    try {
      await work();
      failures = 0;
      onFailure(undefined);
    } catch (error) {
      failures += 1;
      onFailure(error);
    }
    is_running = false;
    const pause = is_wanted ? 0 : Math.min(longest, (document.hidden ? hidden : usual) * 2 ** Math.min(failures, 5));
    is_wanted = false;
    timer = setTimeout(run, pause);
  }
  document.addEventListener('visibilitychange', () => !document.hidden && run());
  return run;
}
