// Simulates one conversation: the lines, their speed and authors, and when it ends.
import type { ChatEvent } from '../records.ts';
import { AGENT_NUDGES, FAREWELLS, HOLDS, NUDGES, SHORT_ANSWERS, WELCOMES } from './phrases.ts';
import type { Beginning } from './queue.ts';
import type { Random } from './random.ts';
import { Script } from './script.ts';
import type { Worker } from './staff.ts';
import type { Visitor } from './visitors.ts';
import { type Wording, createWording } from './wording.ts';

interface Scene {
  random: Random;
  beginning: Beginning;
  visitor: Visitor;
  /** The greeting the visitor accepted, in its words. */
  greetingText: string | null;
  /** A team lead who may look in. */
  lead: Worker;
  /** What visitors say now and then that is hard to show. */
  oddLines: readonly string[];
}

export interface Conversation {
  events: ChatEvent[];
  ended: number;
  /** Who took the chat over, and when. */
  handover: { heir: Worker; at: number } | null;
  supervisors: Worker[];
  /** Seconds until the visitor was first answered; null when that never happened. */
  first_response_seconds: number | null;
}

const FILES = ['photo.jpg', 'screenshot.png', 'invoice.pdf', 'label.jpeg', 'log (1).txt', 'фото.png'];

export function converse(scene: Scene): Conversation {
  const { random, beginning } = scene;
  const kind = beginning.arrival.is_long ? 1 : random.unit();
  if (kind < 0.0015) return instantly(scene);
  if (kind < 0.003) return wordless(scene);
  if (kind < 0.023) return silent(scene);
  if (kind < 0.055) return unanswered(scene);
  return answered(scene);
}

/** Opened and closed within the same second. */
function instantly(scene: Scene): Conversation {
  const script = scriptOf(scene);
  if (scene.random.chance(0.5)) script.agent(scene.beginning.worker, welcomeOf(scene));
  script.closed('visitor');
  return outcome(script);
}

function wordless(scene: Scene): Conversation {
  const script = scriptOf(scene);
  script.wait(scene.random, 60);
  if (scene.random.chance(0.6)) script.closed(null);
  return outcome(script);
}

/** The visitor never writes. */
function silent(scene: Scene): Conversation {
  const { random } = scene;
  const { worker } = scene.beginning;
  const script = scriptOf(scene);
  script.agent(worker, welcomeOf(scene));
  for (const nudge of AGENT_NUDGES) {
    script.wait(random, 140);
    if (random.chance(0.8)) script.agent(worker, nudge);
  }
  script.wait(random, 30);
  script.closed(random.chance(0.5) ? worker : null);
  return outcome(script);
}

/** The agent never replies to the visitor. */
function unanswered(scene: Scene): Conversation {
  const { random } = scene;
  const script = scriptOf(scene);
  const wording = wordingOf(scene);
  if (random.chance(0.75)) script.agent(scene.beginning.worker, welcomeOf(scene));
  script.wait(random, 15);
  script.visitor(wording.visitorLine('openings'));
  for (let more = random.between(0, 3); more > 0; more--) {
    script.wait(random, 70);
    script.visitor(random.pick(NUDGES));
  }
  script.wait(random, 90);
  script.closed(random.chance(0.7) ? 'visitor' : null);
  return outcome(script);
}

function answered(scene: Scene): Conversation {
  const { random, beginning, lead } = scene;
  const wording = wordingOf(scene);
  const script = scriptOf(scene);
  const turns = beginning.arrival.is_long ? 14 : 2 + Math.min(14, Math.floor(random.exponential(2.3)));
  const heir = beginning.heirs.length > 0 && random.chance(0.06) ? random.pick(beginning.heirs) : null;
  const transferAt = heir ? random.between(1, turns - 1) : -1;
  const superviseAt =
    random.chance(0.018) && lead !== beginning.worker && lead.is_employed ? random.between(0, turns - 1) : -1;
  let worker = beginning.worker;
  let handover: Conversation['handover'] = null;
  let firstResponse: number | null = null;

  if (beginning.arrival.engagement !== 'immediate_start' || random.chance(0.87)) {
    script.agent(worker, wording.say(welcomeOf(scene)));
  }
  for (let turn = 0; turn < turns; turn++) {
    script.wait(random, turn === 0 ? 16 : 62, 0.8);
    const asked = script.now;
    visitorTurn(random, script, wording, turn === 0 ? 'openings' : 'details');
    if (turn === superviseAt) script.supervisor(lead, 'I am reading along. Offer the voucher if that helps.');
    if (heir && turn === transferAt) {
      script.wait(random, 25);
      script.transferred(worker, heir);
      worker = heir;
      handover = { heir, at: script.now };
      // Some visitors leave at this point, before the colleague writes anything.
      if (random.chance(0.08)) break;
    }
    const slowness = (0.55 + 0.45 * beginning.load) / worker.skill;
    if (!random.chance(0.004)) script.wait(random, (turn === 0 ? 15 : 48) * slowness, 0.65);
    firstResponse ??= script.now - asked;
    agentTurn(random, script, wording, worker, turn === turns - 1);
  }
  farewell(random, script, wording, worker);
  const supervisors = superviseAt >= 0 ? [lead] : [];
  return { ...outcome(script), handover, supervisors, first_response_seconds: firstResponse };
}

function visitorTurn(random: Random, script: Script, wording: Wording, part: 'openings' | 'details'): void {
  const isShort = part === 'details' && random.chance(0.25);
  script.visitor(isShort ? random.pick(SHORT_ANSWERS) : wording.visitorLine(part));
  while (random.chance(0.18)) {
    script.wait(random, 9);
    script.visitor(wording.visitorLine('details'));
  }
  if (random.chance(0.01)) {
    script.wait(random, 20);
    script.visitorFile(`${random.hex(8)}/${random.pick(FILES)}`);
  }
}

function agentTurn(random: Random, script: Script, wording: Wording, worker: Worker, isLast: boolean): void {
  if (random.chance(0.22)) {
    script.agent(worker, random.pick(HOLDS));
    script.wait(random, 150);
  }
  const { questions, answers } = wording.topic;
  script.agent(worker, wording.say(random.pick(isLast || random.chance(0.55) ? answers : questions)));
  if (random.chance(0.15)) {
    script.wait(random, 14);
    script.agent(worker, wording.say(random.pick(answers)));
  }
  if (random.chance(0.008)) {
    script.wait(random, 20);
    script.agentFile(worker, `${random.hex(8)}/${random.pick(FILES)}`);
  }
}

function farewell(random: Random, script: Script, wording: Wording, worker: Worker): void {
  if (random.chance(0.75)) {
    script.wait(random, 20);
    script.visitor(wording.visitorLine('thanks'));
    script.wait(random, 15);
    if (random.chance(0.8)) script.agent(worker, random.pick(FAREWELLS));
  }
  const closer = random.unit();
  script.wait(random, closer < 0.5 ? 25 : closer < 0.8 ? 60 : 260);
  script.closed(closer < 0.5 ? 'visitor' : closer < 0.8 ? worker : null);
}

function scriptOf(scene: Scene): Script {
  return new Script(scene.beginning.at, scene.visitor.record.name);
}

function wordingOf(scene: Scene): Wording {
  const { arrival, worker } = scene.beginning;
  return createWording(scene.random, arrival.group, scene.visitor.language, worker.record.name, scene.oddLines);
}

function welcomeOf(scene: Scene): string {
  return scene.greetingText ?? scene.random.pick(WELCOMES).replace('{agent}', scene.beginning.worker.record.name);
}

function outcome(script: Script): Conversation {
  return { events: script.events, ended: script.now, handover: null, supervisors: [], first_response_seconds: null };
}
