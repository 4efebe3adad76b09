// What the hooks attach to a request: the user, the reader's theme and locale, and the API that the outer server provides.
import type { IncomingMessage } from 'node:http';
import type { Me } from '#api/contract/sign-in.ts';

declare global {
  namespace App {
    interface Error {
      message: string;
    }
    interface PageState {
      /** What is open next to the page, and how many history steps away the page is. */
      why?: { href: string; depth: number };
    }
    interface Locals {
      theme: 'light' | 'dark' | 'system';
      locale: string;
      me: Me;
    }
    interface Platform {
      req: IncomingMessage & {
        chatledgerApi?: { fetch(request: Request): Promise<Response> };
        /** Milliseconds that a page waits for its answers; null: for everything. */
        chatledgerWait?: () => number | null;
        /** Writes what a page did wrong to the log. */
        chatledgerFailed?: (error: unknown) => void;
      };
    }
  }
}
export {};
