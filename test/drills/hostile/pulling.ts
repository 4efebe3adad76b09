// `chatledger pull --json` that waits little before it asks again: a hostile source is given up soon.
import '../../../src/server/without-proto.ts';
import { retrying } from '#etl/fetch/retry-budget.ts';
import { pullOnce } from '#server/commands/pull.ts';
import { Stopped } from '#server/errors.ts';

try {
  await pullOnce(
    { json: true },
    { ...retrying, timeout_ms: 3000, first_ms: 5, longest_ms: 50, request_seconds: 10, pull_seconds: 20 },
  );
} catch (error) {
  if (!(error instanceof Stopped)) throw error;
  process.stderr.write(`chatledger: ${error.message}\n`);
  process.exitCode = error.code;
}
