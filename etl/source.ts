// One account to pull from: its address, its credentials, its zone and its limit of requests.

/** The archives that provide chats: GET /chats of v2.0, and list_archives of the Agent Chat API v3.5. */
const archiveSources = ['rest_v2', 'agent_v3'] as const;
export type ArchiveSource = (typeof archiveSources)[number];

/** Which archive feeds the facts; `both`: v2.0 feeds them, and differences in v3.5 are listed. */
export const archiveChoices = [...archiveSources, 'both'] as const;
export type ArchiveChoice = (typeof archiveChoices)[number];

export interface SourceAccount {
  /** Account id; the only one by default is `default`. */
  id: string;
  /** Address without a slash at the end, e.g. https://host or http://127.0.0.1:4010. */
  base_url: string;
  /** Value of the Authorization header. */
  authorization: string;
  /** Defaults to `rest_v2`. */
  archive_source?: ArchiveChoice;
  /** Value of the Authorization header for the Agent Chat API v3.5, which takes Bearer tokens only. */
  agent_authorization?: string;
  /** Sent as X-Region. */
  region: string;
  /** IANA zone used for reports and archive days. */
  timezone: string;
  /** First local day to pull, YYYY-MM-DD. */
  since: string;
  /** Requests a second; null means as fast as answers arrive. */
  requests_per_second: number | null;
  /** Days after its end during which a day is settling, where somebody has set it; by default as in `plan/due.ts`. */
  settling_days?: number | undefined;
}

/** Basic: agent login and API key, or e-mail and personal access token. */
export const basic = (login: string, secret: string): string =>
  `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}`;

export const bearer = (token: string): string => `Bearer ${token}`;
