// The embedded service with its simulated account, held to the suite of every server of the reports.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '#service/service.ts';
import { answersCase } from '../../cases/answers.case.ts';
import { basic } from './tiny.ts';

answersCase('the embedded service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-'));
  const service = await startService({
    file: join(folder, 'service.sqlite'),
    zone: 'Europe/Warsaw',
    days: 50,
    port: 0,
    apiKey: 'secret',
  });
  return {
    url: service.url,
    headers: basic('owner@example.com', 'secret'),
    async close() {
      await service.close();
      rmSync(folder, { recursive: true });
    },
  };
});
