// Everything that can be asked over HTTP, in the order in which the documentation lists it.
import { listAccounts } from './accounts.ts';
import { callAssistantTools } from './assistants.ts';
import { exportAudit, listAudit } from './audit.ts';
import { addBoard, changeBoard, downloadBoard, getBoard, listBoards, removeBoard } from './boards.ts';
import { listSeenVariables, listVariables, saveVariables } from './variables.ts';
import { getBrand, getLogo, removeLogo, saveLogo } from './brand.ts';
import { getBusinessHours, saveBusinessHours } from './business-hours.ts';
import { exportChatRowsCsv, exportChatRowsParquet, exportChatRowsXlsx, listChatRows } from './chat-rows.ts';
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
  testDigest,
} from './digests.ts';
import type { AnswerOf, BodyOf, Endpoint } from './endpoint.ts';
import { listErasures, planErasure, startErasure } from './erasures.ts';
import { getHealth, getReadiness, listenToEvents } from './health.ts';
import {
  askMetric,
  downloadPanel,
  exportAccountsCsv,
  exportAccountsXlsx,
  exportAgentsCsv,
  exportAgentsPdf,
  exportAgentsXlsx,
  exportMetric,
  listMetrics,
} from './metrics.ts';
import { compareAgents } from './fair.ts';
import { getTeam } from './team.ts';
import { getOwnFigures, listReads } from './own-figures.ts';
import { listPeriodGoals, removePeriodGoal, savePeriodGoal } from './period-goals.ts';
import { addSavedQuery, changeSavedQuery, getSavedQuery, listSavedQueries, removeSavedQuery } from './saved-queries.ts';
import { exportSql, listSqlTables, runSql, showSqlLimits } from './sql.ts';
import { getBackups } from './backups.ts';
import { getDisk } from './disk.ts';
import { listSettings, saveSettings, sendTestMail } from './settings.ts';
import { downloadKeptSnapshot, downloadSnapshot, listPulls, listSnapshots, startPull } from './pulls.ts';
import { getReceipt } from './receipts.ts';
import { getReconciliation, listRestatements } from './reconciliation.ts';
import { reportEndpoints } from './reports.ts';
import {
  askForReset,
  beginSecondFactor,
  beginSignOn,
  changePassword,
  confirmSecondFactor,
  endSecondFactor,
  endSession,
  finishReset,
  finishSignOn,
  getMe,
  getSecondFactor,
  linkIdentity,
  listIdentities,
  listSessions,
  listWays,
  makeFirstAdmin,
  signIn,
  signOut,
  unlinkIdentity,
} from './sign-in.ts';
import { addShare, getSharedPage, getSharedPanel, listShares, removeShare } from './shares.ts';
import { judgeTargets, listTargets, removeTarget, saveTarget } from './targets.ts';
import { addToken, listTokens, removeToken } from './tokens.ts';
import {
  listAnnotations,
  listPins,
  listViews,
  removeAnnotation,
  removeView,
  saveAnnotation,
  savePin,
  saveView,
} from './user-data.ts';
import { addUser, changeUser, listUsers, removeSecondFactor, removeUser, resetPassword } from './users.ts';

const named = [
  getHealth,
  getReadiness,
  listenToEvents,
  listMetrics,
  askMetric,
  exportMetric,
  exportAccountsCsv,
  exportAccountsXlsx,
  exportAgentsCsv,
  exportAgentsXlsx,
  exportAgentsPdf,
  getReceipt,
  searchChats,
  getChat,
  listChatRows,
  exportChatRowsCsv,
  exportChatRowsXlsx,
  exportChatRowsParquet,
  getReconciliation,
  listRestatements,
  listAccounts,
  compareAgents,
  getTeam,
  getOwnFigures,
  listReads,
  downloadPanel,
  downloadDashboard,
  listBoards,
  getBoard,
  addBoard,
  changeBoard,
  removeBoard,
  downloadBoard,
  listSnapshots,
  getBackups,
  getDisk,
  getBrand,
  getLogo,
  saveLogo,
  removeLogo,
  listSettings,
  saveSettings,
  sendTestMail,
  listSqlTables,
  showSqlLimits,
  runSql,
  exportSql,
  listSavedQueries,
  getSavedQuery,
  addSavedQuery,
  changeSavedQuery,
  removeSavedQuery,
  callAssistantTools,
  downloadSnapshot,
  downloadKeptSnapshot,
  listPulls,
  startPull,
  listErasures,
  planErasure,
  startErasure,
  listViews,
  saveView,
  removeView,
  listPins,
  savePin,
  listAnnotations,
  saveAnnotation,
  removeAnnotation,
  getBusinessHours,
  saveBusinessHours,
  listVariables,
  listSeenVariables,
  saveVariables,
  listTargets,
  judgeTargets,
  saveTarget,
  removeTarget,
  listPeriodGoals,
  savePeriodGoal,
  removePeriodGoal,
  listDigests,
  getDigest,
  saveDigest,
  removeDigest,
  runDigest,
  sendDigestAgain,
  testDigest,
  previewDigest,
  downloadDigest,
  getMe,
  listWays,
  signIn,
  signOut,
  makeFirstAdmin,
  changePassword,
  listSessions,
  endSession,
  askForReset,
  finishReset,
  beginSignOn,
  linkIdentity,
  finishSignOn,
  listIdentities,
  unlinkIdentity,
  getSecondFactor,
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  listUsers,
  addUser,
  changeUser,
  resetPassword,
  removeUser,
  removeSecondFactor,
  listTokens,
  addToken,
  removeToken,
  listShares,
  addShare,
  removeShare,
  getSharedPage,
  getSharedPanel,
  listAudit,
  exportAudit,
] as const;

export const contract: readonly Endpoint[] = [...named, ...reportEndpoints];

type EndpointName = (typeof named)[number];

/** Endpoints keyed as callers write them, such as `GET /chats/{id}`. */
type Endpoints = { [One in EndpointName as `${Uppercase<One['method']>} ${One['path']}`]: One };

/** The answer type of each call, by name. */
export type Answers = { [Name in keyof Endpoints]: AnswerOf<Endpoints[Name]> };

/** The body type of each call, by name. */
export type Bodies = { [Name in keyof Endpoints]: BodyOf<Endpoints[Name]> };
