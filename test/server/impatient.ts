// `chatledger pull` that waits little before it asks again: faults of a test are over at once. `node impatient.ts [--json]`
import { retrying } from '#etl/fetch/retry-budget.ts';
import { pullOnce } from '#server/commands/pull.ts';
import { Stopped } from '#server/errors.ts';

const only = process.argv.find((word) => word.startsWith('--only='))?.slice(7);
try {
  await pullOnce(
    { json: process.argv.includes('--json'), ...(only ? { only } : {}) },
    // An answer of 17 MB is read to its limit in this time on a busy machine too; what is silent is so for 5 s.
    { ...retrying, timeout_ms: 2000, first_ms: 1, longest_ms: 5 },
  );
} catch (error) {
  if (!(error instanceof Stopped)) throw error;
  process.stderr.write(`chatledger: ${error.message}\n`);
  process.exitCode = error.code;
}
