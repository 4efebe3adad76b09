// Hosts that each have all of a database: a question goes to one of them, and to the next where that one cannot answer.
import { setTimeout as wait } from 'node:timers/promises';
import { assertWanted, currentSignal, until, withSignal } from '../cancellation.ts';
import type { Engine } from '../engine.ts';
import { UnreachableWarehouse } from '../errors.ts';
import { nameOf, type ClickhouseAddress, type ClickhouseAddresses } from './clickhouse-address.ts';
import { isOfHost, isPassing, together, type HostFailure } from './clickhouse-failures.ts';
import { HostsReading } from './clickhouse-hosts-reading.ts';
import { patient } from './clickhouse-patience.ts';

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

/** `database`: what is asked of it. */
interface Host<Of> {
  address: ClickhouseAddress;
  database: Of;
  rest: Rest;
}

/** A snapshot on a host: opened when it is asked for the first time, and again after it failed. */
class HostedSnapshot<Of> {
  readonly host: Host<Of>;
  readonly rest = new Rest();
  readonly #openOn: (database: Of) => Promise<Engine>;
  #opened: Promise<Engine> | undefined;

  constructor(host: Host<Of>, openOn: (database: Of) => Promise<Engine>) {
    this.host = host;
    this.#openOn = openOn;
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
    const opened = withSignal(undefined, () => this.#openOn(this.host.database));
    opened.catch(() => this.#forget(opened));
    return opened;
  }

  #forget(opened: Promise<Engine>): void {
    if (this.#opened === opened) this.#opened = undefined;
  }
}

export class HostRing<Of extends { close(): Promise<void> }> {
  readonly name: string;
  readonly #hosts: readonly Host<Of>[];
  #turn = 0;

  constructor(addresses: ClickhouseAddresses, connect: (address: ClickhouseAddress) => Of) {
    this.name = nameOf(addresses);
    this.#hosts = addresses.map((address) => ({ address, database: connect(address), rest: new Rest() }));
  }

  get size(): number {
    return this.#hosts.length;
  }

  /** In the order of their addresses. */
  get each(): Of[] {
    return this.#hosts.map(({ database }) => database);
  }

  /** What each host says that answers, in their order; those that rest are asked where no other answers. Errors: those of hosts, together. */
  async askAll<T>(work: (database: Of) => Promise<T>): Promise<T[]> {
    const well = this.#hosts.filter(({ rest }) => !rest.isOn);
    return (await this.#askEach(well, work)) ?? (await this.#askEach(this.#hosts, work, true)) ?? [];
  }

  /** A snapshot, on whichever host can open it. Errors: those of the hosts, by what all of them say. */
  async open(id: string, openOn: (database: Of) => Promise<Engine>): Promise<Engine> {
    const all = this.#hosts.map((host) => new HostedSnapshot(host, openOn));
    const reading = new HostsReading(`${this.name}#${id}`, (work) => this.#askOneOf(all, work));
    await reading.columns();
    return reading;
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map(({ database }) => database.close()));
  }

  /** Of those that answer; nothing where none does. `isLast`: then it is an error. */
  async #askEach<T>(
    hosts: readonly Host<Of>[],
    work: (database: Of) => Promise<T>,
    isLast = false,
  ): Promise<T[] | undefined> {
    const failures = new Map<ClickhouseAddress, HostFailure>();
    const answers = await Promise.all(
      hosts.map(async ({ address, database, rest }) => {
        try {
          return [await work(database)];
        } catch (error) {
          assertWanted();
          if (!isOfHost(error)) throw error;
          failures.set(address, error);
          rest.begin();
          return [];
        }
      }),
    );
    const found = answers.flat(1) as T[];
    if (found.length > 0) return found;
    if (isLast) throw together(failures);
    return undefined;
  }

  /** In turns, so that each has its share; those that rest come last. */
  #inOrder(all: readonly HostedSnapshot<Of>[]): HostedSnapshot<Of>[] {
    this.#turn += 1;
    const first = this.#turn % all.length;
    const turned = [...all.slice(first), ...all.slice(0, first)];
    const isResting = ({ rest, host }: HostedSnapshot<Of>): boolean => rest.isOn || host.rest.isOn;
    return [...turned.filter((each) => !isResting(each)), ...turned.filter(isResting)];
  }

  /** A few rounds, while one of them may answer a moment later. Errors: those of the warehouse, by what all of them say. */
  async #askOneOf<T>(all: readonly HostedSnapshot<Of>[], work: (engine: Engine) => Promise<T>): Promise<T> {
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
