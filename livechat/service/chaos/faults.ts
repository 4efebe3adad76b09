// Every fault by name, with the kind of harm it does. Names are a promise to users' own drills.
import { bodies } from './bodies.ts';
import { chats } from './chats.ts';
import { effects, harms, type Effect, type Fault, type Harm } from './fault.ts';
import { fields } from './fields.ts';
import { pages } from './pages.ts';
import { periods } from './periods.ts';
import { statuses } from './statuses.ts';
import { transport } from './transport.ts';

const tables = {
  transport,
  status: statuses,
  body: bodies,
  content: { ...fields, ...periods, ...chats, ...pages },
} as const satisfies Record<Harm, Record<string, Fault>>;

type Tables = typeof tables;
export type FaultName = { [H in Harm]: keyof Tables[H] & string }[Harm];

export interface NamedFault {
  name: FaultName;
  harm: Harm;
  fault: Fault;
}

export const faults: readonly NamedFault[] = harms.flatMap((harm) =>
  Object.entries<Fault>(tables[harm]).map(([name, fault]) => ({ name: name as FaultName, harm, fault })),
);
export const faultNames = faults.map(({ name }) => name);

const byName = new Map(faults.map((each) => [each.name, each]));

/** The definition of a name that the plan has been checked for. */
export function faultNamed(name: FaultName): NamedFault {
  const found = byName.get(name);
  if (!found) throw new Error(`no fault ${name} is defined in livechat/service/chaos`);
  return found;
}

/** What a rate applies to: one fault, all faults of a harm or effect, or any fault. */
export type Aim = FaultName | Harm | Effect | 'any';
const groupNames: readonly Aim[] = ['any', ...harms, ...(Object.keys(effects) as Effect[])];
export const aims: readonly Aim[] = [...faultNames, ...groupNames];

/** The faults selected by an aim. */
export const aimedAt = (aim: Aim): readonly NamedFault[] =>
  faults.filter(({ name, harm, fault }) => [name, harm, fault.effect, 'any'].includes(aim));
