// A real server of a version that is too old, as Debian has it: what the product says of it, over real connections.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check } from '#warehouse/engines/clickhouse-check.ts';
import { freePort } from '../ports.ts';
import { until } from '../server/program.ts';

const program = '/usr/sbin/clickhouse-server';
const isThere = existsSync(program);
const whyNot = `no server in ${program}: the package clickhouse-server of Debian 12 or older has one`;

describe.skipIf(!isThere)(isThere ? 'a real server that is too old' : whyNot, () => {
  const folder = mkdtempSync(join(tmpdir(), 'clickhouse-old-'));
  let server: ChildProcess;
  let url = '';

  beforeAll(async () => {
    const [http, tcp] = [await freePort(), await freePort()];
    url = `http://127.0.0.1:${http}`;
    const config =
      `<yandex><logger><level>error</level></logger><http_port>${http}</http_port><tcp_port>${tcp}</tcp_port>` +
      `<listen_host>127.0.0.1</listen_host><path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path>` +
      `<users_config>${folder}/users.xml</users_config><default_profile>default</default_profile>` +
      '<default_database>default</default_database><mark_cache_size>100000000</mark_cache_size></yandex>';
    const users =
      '<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default><password>right</password>' +
      '<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>';
    writeFileSync(join(folder, 'config.xml'), config);
    writeFileSync(join(folder, 'users.xml'), users);
    server = spawn(program, [`--config-file=${join(folder, 'config.xml')}`], { cwd: folder, stdio: 'ignore' });
    const isUp = (): Promise<boolean> =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isUp, 60, 'the server');
  });
  afterAll(async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });
  const said = (password: string): Promise<unknown> =>
    check(
      { url, username: 'default', password, database: 'default' },
      { publisher: 'tests', canWrite: true, isOneOfSeveral: false },
    ).then(
      () => 'can be used',
      (error: unknown) => (error instanceof Error ? error.message : error),
    );

  it('is refused by its version, also where it knows no setting of ours', async () => {
    expect(await said('right')).toMatch(/cannot be used: its version \d+\.\d+\.\d+ is older than 24\.12$/);
  });

  it('says that a password is wrong, and what was killed does not answer', async () => {
    expect(await said('wrong')).toMatch(/cannot be used: .*[Pp]assword/);
    server.kill('SIGKILL');
    await once(server, 'exit');
    expect(await said('right')).toContain('does not answer');
  });
});
