// Addresses of a database as settings write them: what they mean, and what is wrong with others.
import { expect, test } from 'vitest';
import {
  databaseAddressIn,
  databaseName,
  databasePasswordsIn,
  wrongDatabaseAddress,
} from '#warehouse/engines/database.ts';

test.each([
  ['clickhouse://ann:s%40crt@db.example.com:8124/ledger', 'http://db.example.com:8124', 'ann', 's@crt'],
  ['clickhouse://db.example.com/ledger', 'http://db.example.com:8123', 'default', ''],
  ['clickhouses://ann@db.example.com/ledger', 'https://db.example.com:8443', 'ann', ''],
  ['clickhouse://ann@db.example.com:9440/ledger?secure=true', 'https://db.example.com:9440', 'ann', ''],
  ['clickhouse://ann@[::1]:8123/ledger?secure=false', 'http://[::1]:8123', 'ann', ''],
])('%s is %s', (text, url, username, password) => {
  expect(wrongDatabaseAddress(text)).toBeUndefined();
  const address = databaseAddressIn(text);
  expect(address).toEqual([{ url, username, password, database: 'ledger' }]);
  expect(databaseName(address)).not.toContain('ann');
  expect(databaseAddressIn(text, 'from a file')[0].password).toBe('from a file');
});

test('several hosts have one user, one password and one database', () => {
  const text = 'clickhouses://ann:s%40,crt@db1.example.com:8124,db2.example.com,[::1]:9000/ledger';
  expect(wrongDatabaseAddress(text)).toBeUndefined();
  const address = databaseAddressIn(text);
  expect(address.map(({ url }) => url)).toEqual([
    'https://db1.example.com:8124',
    'https://db2.example.com:8443',
    'https://[::1]:9000',
  ]);
  for (const host of address) expect(host).toMatchObject({ username: 'ann', password: 's@,crt', database: 'ledger' });
  expect(databaseName(address)).toBe('clickhouse://db1.example.com:8124,db2.example.com:8443,[::1]:9000/ledger');
  expect(databasePasswordsIn(text)).toEqual(['s@,crt', 's%40,crt']);
  expect(databasePasswordsIn('clickhouse://ann@db1,db2/ledger')).toEqual([]);
});

test.each([
  ['http://db.example.com/ledger', 'is no address of a database'],
  ['db.example.com', 'is no address of a database'],
  ['clickhouse:///ledger', 'is no address of a database'],
  ['clickhouse://db.example.com', 'must name a database'],
  ['clickhouse://db.example.com/a/b', 'must name a database'],
  ['clickhouse://db.example.com/a"b', 'must name a database'],
  ['clickhouse://db.example.com/ledger?tls=1', 'has the parameter tls=1'],
  ['clickhouses://db.example.com/ledger?secure=false', 'keep one of them'],
  ['clickhouse://ann:100%@db.example.com/ledger', 'write %25'],
  ['clickhouse://db.example.com/ledger#x', 'write %23'],
  ['clickhouse://db1.example.com,/ledger', 'is no address of a database'],
  ['clickhouse://db1.example.com,db2.example.com:port/ledger', 'is no address of a database'],
  ['clickhouse://db1.example.com,db2.example.com', 'must name a database'],
  ['clickhouse://db1.example.com,db2.example.com/ledger?tls=1', 'has the parameter tls=1'],
  ['clickhouse://db1.example.com,db1.example.com:8123/ledger', 'names the host db1.example.com:8123 twice'],
  ['clickhouse://ann@db1.example.com,bob@db2.example.com/ledger', 'has more than one @'],
])('%s %s', (text, wrong) => {
  expect(wrongDatabaseAddress(text)).toContain(wrong);
  expect(() => databaseAddressIn(text)).toThrow(wrong);
});
