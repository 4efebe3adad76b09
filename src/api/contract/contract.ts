// Everything that can be asked over HTTP, in the order in which the documentation lists it.
import { listAccounts } from './accounts.ts';
import {
  addToken,
  addUser,
  changePassword,
  changeUser,
  endSession,
  getMe,
  listSessions,
  listTokens,
  listUsers,
  makeFirstAdmin,
  removeToken,
  removeUser,
  resetPassword,
  signIn,
  signOut,
} from './auth.ts';
import { getChat, searchChats } from './chats.ts';
import {
  downloadDashboard,
  downloadDigest,
  getDigest,
  listDigests,
  previewDigest,
  removeDigest,
  runDigest,
  saveDigest,
  sendDigestAgain,
} from './digests.ts';
import type { AnswerOf, BodyOf, Endpoint } from './endpoint.ts';
import { getHealth, listenToEvents } from './health.ts';
import { askMetric, downloadPanel, exportMetric, listMetrics } from './metrics.ts';
import { downloadSnapshot, listPulls, listSnapshots, startPull } from './pulls.ts';
import { getReceipt } from './receipts.ts';
import { getReconciliation, listRestatements } from './reconciliation.ts';
import { reportEndpoints } from './reports.ts';
import { listAnnotations, listViews, removeAnnotation, removeView, saveAnnotation, saveView } from './user-data.ts';

const named = [
  getHealth,
  listenToEvents,
  listMetrics,
  askMetric,
  exportMetric,
  getReceipt,
  searchChats,
  getChat,
  getReconciliation,
  listRestatements,
  listAccounts,
  downloadPanel,
  downloadDashboard,
  listSnapshots,
  downloadSnapshot,
  listPulls,
  startPull,
  listViews,
  saveView,
  removeView,
  listAnnotations,
  saveAnnotation,
  removeAnnotation,
  listDigests,
  getDigest,
  saveDigest,
  removeDigest,
  runDigest,
  sendDigestAgain,
  previewDigest,
  downloadDigest,
  getMe,
  signIn,
  signOut,
  makeFirstAdmin,
  changePassword,
  listSessions,
  endSession,
  listUsers,
  addUser,
  changeUser,
  resetPassword,
  removeUser,
  listTokens,
  addToken,
  removeToken,
] as const;

export const contract: readonly Endpoint[] = [...named, ...reportEndpoints];

type Named = (typeof named)[number];

/** Endpoints by what a caller writes, as `GET /chats/{id}`. */
export type Endpoints = { [One in Named as `${Uppercase<One['method']>} ${One['path']}`]: One };

/** What is answered to a call, by its name. */
export type Answers = { [Name in keyof Endpoints]: AnswerOf<Endpoints[Name]> };

/** What is sent with a call, by its name. */
export type Bodies = { [Name in keyof Endpoints]: BodyOf<Endpoints[Name]> };
