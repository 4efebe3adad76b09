// Who may open which page, written down a second time: what a page lets in by mistake is not here.
import type { Right } from '#auth/rights.ts';

export interface Page {
  /** A right; `anybody`: whoever asks, who is told nothing. */
  needs: Right | 'anybody';
  /** An address of it. */
  at: string;
  /** An agent is led on, to the own figures. */
  isNotOfAgents?: true;
}

export const pages: Readonly<Record<string, Page>> = {
  '/sign-in': { needs: 'anybody', at: '/sign-in' },
  '/sign-in/reset': { needs: 'anybody', at: '/sign-in/reset' },
  '/share': { needs: 'anybody', at: '/share' },
  '/profile': { needs: 'numbers:read', at: '/profile' },
  '/[[dashboard]]': { needs: 'numbers:read', at: '/queue?preset=7d' },
  '/own-figures': { needs: 'numbers:read', at: '/own-figures' },
  '/boards': { needs: 'numbers:read', at: '/boards' },
  '/board/[id]': { needs: 'numbers:read', at: '/board/none' },
  '/business-hours': { needs: 'numbers:read', at: '/business-hours' },
  '/catalogue': { needs: 'numbers:read', at: '/catalogue' },
  '/receipt/[metric]': { needs: 'numbers:read', at: '/receipt/total_chats?preset=7d' },
  '/why/[metric]': { needs: 'numbers:read', at: '/why/total_chats?preset=7d&measure=chats' },
  '/reconciliation': { needs: 'numbers:read', at: '/reconciliation' },
  '/targets': { needs: 'numbers:read', at: '/targets' },
  '/variables': { needs: 'numbers:read', at: '/variables' },
  '/tv': { needs: 'numbers:read', at: '/tv' },
  '/let-others-in': { needs: 'numbers:read', at: '/let-others-in' },
  '/accounts': { needs: 'numbers:read', at: '/accounts?preset=7d' },
  '/agents': { needs: 'agents:read', at: '/agents?preset=7d', isNotOfAgents: true },
  '/agent/[login]': { needs: 'agents:read', at: '/agent/nobody@example.com' },
  '/transcripts': { needs: 'chats:read', at: '/transcripts' },
  '/chat/[id]': { needs: 'chats:read', at: '/chat/none' },
  '/chat-rows': { needs: 'chats:read', at: '/chat-rows' },
  '/operations': { needs: 'pulls:write', at: '/operations' },
  '/digests': { needs: 'digests:write', at: '/digests' },
  '/digests/[id]': { needs: 'digests:write', at: '/digests/month' },
  '/people': { needs: 'people:write', at: '/people' },
  '/settings': { needs: 'settings:write', at: '/settings' },
  '/sql': { needs: 'files', at: '/sql' },
  '/audit': { needs: 'audit:read', at: '/audit' },
  '/erase': { needs: 'erase', at: '/erase' },
};
