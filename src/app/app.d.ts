// What the hooks put beside a request: who asks, the theme and locale of the reader, and the API that the outer server attaches.
import type { IncomingMessage } from 'node:http';
import type { Me } from '#api/contract/sign-in.ts';

declare global {
  namespace App {
    interface Error {
      message: string;
    }
    interface PageState {
      /** What is open beside the page, and how many steps of the history away the page is. */
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
      };
    }
  }
}
export {};
