// What keeps a host from answering what another one may answer, and what several of them say as one error.
import { DamagedWarehouse, UnreachableWarehouse } from '../errors.ts';
import { nameOf, type ClickhouseAddress } from './clickhouse-address.ts';

export type HostFailure = UnreachableWarehouse | DamagedWarehouse;

export const isOfHost = (error: unknown): error is HostFailure =>
  error instanceof UnreachableWarehouse || error instanceof DamagedWarehouse;

/** The host may answer a moment later. */
export const isPassing = (error: HostFailure): boolean => error instanceof UnreachableWarehouse && error.isPassing;

/** By host, at least one. That all of them lack something is another error than that one cannot be asked. */
export function together(failures: ReadonlyMap<ClickhouseAddress, HostFailure>): HostFailure {
  const [[first, error], ...others] = [...failures] as [
    [ClickhouseAddress, HostFailure],
    ...[ClickhouseAddress, HostFailure][],
  ];
  if (others.length === 0) return error;
  const name = nameOf([first, ...others.map(([host]) => host)]);
  const said = [...failures].map(([{ url }, { reason }]) => `${new URL(url).host}: ${reason}`).join('; ');
  const all = [...failures.values()];
  return all.every((each) => each instanceof DamagedWarehouse)
    ? new DamagedWarehouse(name, said)
    : new UnreachableWarehouse(name, said, all.some(isPassing));
}
