// A database that several ClickHouse hosts have, each all of it: a question goes to one of them, and to the next where that one cannot answer.
import { setTimeout as wait } from 'node:timers/promises';
import { assertWanted, currentSignal, until, withSignal } from '../cancellation.ts';
import type { Engine } from '../engine.ts';
import { UnreachableWarehouse } from '../errors.ts';
import type { HeldSnapshot, SnapshotDatabase } from '../snapshot-database.ts';
import { ClickhouseSnapshots } from './clickhouse.ts';
import { nameOf, type ClickhouseAddress, type ClickhouseAddresses } from './clickhouse-address.ts';
import { isOfHost, isPassing, together, type HostFailure } from './clickhouse-failures.ts';
import { HostsReading } from './clickhouse-hosts-reading.ts';
import { beside_others, patient, type Patience } from './clickhouse-patience.ts';

/** A host that did not answer, or lacks a snapshot, is asked after the others for as long. */
const rest_ms = 30_000;

/** Passes by itself. */
class Rest {
  #timer: NodeJS.Timeout | undefined;

  get isOn(): boolean {
    return this.#timer !== undefined;
  }

  begin(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#timer = undefined), rest_ms).unref();
  }
}

interface Host {
  address: ClickhouseAddress;
  snapshots: ClickhouseSnapshots;
  rest: Rest;
}

/** A snapshot on a host: opened when it is asked for the first time, and again after it failed. */
class HostedSnapshot {
  readonly host: Host;
  readonly rest = new Rest();
  readonly #snapshot: Pick<HeldSnapshot, 'id' | 'rewritten'>;
  #opened: Promise<Engine> | undefined;

  constructor(host: Host, snapshot: Pick<HeldSnapshot, 'id' | 'rewritten'>) {
    this.host = host;
    this.#snapshot = snapshot;
  }

  /** Errors: those of the host and its snapshot, and whatever is wrong with the question. */
  async ask<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    const opened = (this.#opened ??= this.#open());
    try {
      return await work(await until(opened, currentSignal()));
    } catch (error) {
      // A host that comes back may have lost what it had.
      if (isOfHost(error)) {
        this.#forget(opened);
        (error instanceof UnreachableWarehouse ? this.host.rest : this.rest).begin();
      }
      throw error;
    }
  }

  /** For whoever waits, not only for the first of them. */
  #open(): Promise<Engine> {
    const opened = withSignal(undefined, () => this.host.snapshots.open(this.#snapshot));
    opened.catch(() => this.#forget(opened));
    return opened;
  }

  #forget(opened: Promise<Engine>): void {
    if (this.#opened === opened) this.#opened = undefined;
  }
}

export class ClickhouseHosts implements SnapshotDatabase {
  readonly name: string;
  readonly #hosts: readonly Host[];
  #turn = 0;

  /** `publisher`: the data folder whose snapshots they are. */
  constructor(addresses: ClickhouseAddresses, publisher: string, patience: Patience = beside_others) {
    this.name = nameOf(addresses);
    this.#hosts = addresses.map((address) => ({
      ...{ address, rest: new Rest() },
      snapshots: new ClickhouseSnapshots(address, publisher, patience),
    }));
  }

  async list(): Promise<HeldSnapshot[]> {
    const well = this.#hosts.filter(({ rest }) => !rest.isOn);
    const found = (await this.#listsOf(well)) ?? (await this.#listsOf(this.#hosts, true));
    const all = new Map((found ?? []).map((each) => [`${each.id} ${each.rewritten}`, each]));
    return [...all.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  async open(snapshot: Pick<HeldSnapshot, 'id' | 'rewritten'>): Promise<Engine> {
    const all = this.#hosts.map((host) => new HostedSnapshot(host, snapshot));
    const reading = new HostsReading(`${this.name}#${snapshot.id}`, (work) => this.#askOneOf(all, work));
    await reading.columns();
    return reading;
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map(({ snapshots }) => snapshots.close()));
  }

  /** Of those that answer; nothing where none does. `isLast`: then it is an error. */
  async #listsOf(hosts: readonly Host[], isLast = false): Promise<HeldSnapshot[] | undefined> {
    const failures = new Map<ClickhouseAddress, HostFailure>();
    const lists = await Promise.all(
      hosts.map(async (host) => {
        try {
          return await host.snapshots.list();
        } catch (error) {
          assertWanted();
          if (!isOfHost(error)) throw error;
          failures.set(host.address, error);
          host.rest.begin();
          return undefined;
        }
      }),
    );
    const found = lists.filter((list) => list !== undefined);
    if (found.length > 0) return found.flat();
    if (isLast) throw together(failures);
    return undefined;
  }

  /** In turns, so that each has its share; those that rest come last. */
  #inOrder(all: readonly HostedSnapshot[]): HostedSnapshot[] {
    this.#turn += 1;
    const first = this.#turn % all.length;
    const turned = [...all.slice(first), ...all.slice(0, first)];
    const isResting = ({ rest, host }: HostedSnapshot): boolean => rest.isOn || host.rest.isOn;
    return [...turned.filter((each) => !isResting(each)), ...turned.filter(isResting)];
  }

  /** A few rounds, while one of them may answer a moment later. Errors: those of the warehouse, by what all of them say. */
  async #askOneOf<T>(all: readonly HostedSnapshot[], work: (engine: Engine) => Promise<T>): Promise<T> {
    const failures = new Map<ClickhouseAddress, HostFailure>();
    for (const before_ms of [0, ...patient.again_ms]) {
      if (before_ms > 0) await wait(before_ms);
      for (const each of this.#inOrder(all)) {
        const before = failures.get(each.host.address);
        if (before && !isPassing(before)) continue;
        assertWanted();
        try {
          return await each.ask(work);
        } catch (error) {
          assertWanted();
          if (!isOfHost(error)) throw error;
          failures.set(each.host.address, error);
        }
      }
      if (![...failures.values()].some(isPassing)) break;
    }
    throw together(failures);
  }
}
