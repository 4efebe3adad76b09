// A board that is being edited: what is kept and what is shown, saved one change after the other, with what was said of the last one.
import type { Board } from '#api/contract/boards.ts';
import type { Placed } from '#dashboards/boards.ts';
import { tried } from '#lib/auth/calls.ts';
import { pinned } from '#lib/pinned.svelte.ts';
import { changeBoard, keptFrom, nameOf } from './boards.ts';
import { addWords, editorWords as words, listWords } from './list-words.ts';

export class EditedBoard {
  /** As it is shown; changes that are not saved yet are in it. */
  shown: Board = $state.raw() as Board;
  title = $state('');
  told = $state('');
  problem = $state('');
  /** The panel that was removed last, and its place. */
  gone = $state.raw<{ one: Placed; at: number }>();
  #kept: Board;
  #isSaving = false;
  readonly #onchange: () => void;

  /** `onchange` is called after each save. */
  constructor(board: Board, onchange: () => void) {
    this.#kept = this.shown = board;
    this.title = board.title;
    this.#onchange = onchange;
  }

  /** False: it was there already. */
  move(from: number, to: number): boolean {
    const { panels } = this.shown;
    const one = panels[from];
    if (!one || to < 0 || to >= panels.length || from === to) return false;
    this.gone = undefined;
    const rest = panels.filter((_, at) => at !== from);
    void this.#change(rest.toSpliced(to, 0, one), words.moved(nameOf(one), to + 1, panels.length));
    return true;
  }

  remove(at: number): void {
    const one = this.shown.panels[at];
    if (!one) return;
    this.gone = { one, at };
    void this.#change(this.shown.panels.toSpliced(at, 1), words.removed(nameOf(one)));
  }

  undo(): void {
    if (!this.gone) return;
    const { one, at } = this.gone;
    this.gone = undefined;
    void this.#change(this.shown.panels.toSpliced(at, 0, one as Board['panels'][number]), words.back(nameOf(one)));
  }

  replace(at: number, one: Placed): void {
    const others = this.shown.panels.toSpliced(at, 1);
    if (keptFrom({ ...this.shown, panels: others }, one) === 'twice') {
      this.problem = addWords.isThere;
      return;
    }
    this.gone = undefined;
    void this.#change(this.shown.panels.with(at, one as Board['panels'][number]), words.saved);
  }

  add(one: Placed): void {
    this.gone = undefined;
    void this.#change([...this.shown.panels, one], words.added(nameOf(one)));
  }

  async share(is_shared: boolean): Promise<void> {
    [this.problem, this.told] = ['', is_shared ? words.isShared : words.isOwn];
    this.shown = { ...this.shown, is_shared };
    await this.#save();
  }

  /** The typed name stays when it is rejected. */
  async rename(): Promise<void> {
    this.problem = '';
    const outcome = await changeBoard({ ...this.#kept, title: this.title });
    if ('problem' in outcome) return void (this.problem = listWords.problem(outcome.problem));
    this.#kept = this.shown = outcome.answer;
    this.title = outcome.answer.title;
    this.told = words.renamed(this.title);
    await pinned.read();
    this.#onchange();
  }

  /** Whether it is gone. */
  async removeBoard(): Promise<boolean> {
    const outcome = await tried('DELETE /boards/{id}', { params: { id: this.shown.id } });
    if ('problem' in outcome) this.problem = outcome.problem;
    else await pinned.read();
    return !('problem' in outcome);
  }

  /** As somebody else has left it. */
  async load(): Promise<void> {
    const outcome = await tried('GET /boards/{id}', { params: { id: this.shown.id } });
    if ('problem' in outcome) return void (this.problem = outcome.problem);
    this.#kept = this.shown = outcome.answer;
    [this.problem, this.told, this.title] = ['', '', outcome.answer.title];
    this.#onchange();
  }

  #change(panels: readonly Placed[], said: string): Promise<void> {
    [this.problem, this.told] = ['', said];
    this.shown = { ...this.shown, panels: [...panels] as Board['panels'] };
    return this.#save();
  }

  /** Saves one change at a time; changes made meanwhile are included in the next save. */
  async #save(): Promise<void> {
    if (this.#isSaving) return;
    this.#isSaving = true;
    while (this.shown !== this.#kept && !this.problem) {
      const wanted = this.shown;
      const outcome = await changeBoard({ ...wanted, version: this.#kept.version });
      if ('problem' in outcome) this.problem = outcome.problem;
      else {
        this.#kept = outcome.answer;
        if (this.shown === wanted) this.shown = outcome.answer;
      }
    }
    if (this.problem) this.shown = this.#kept;
    this.#isSaving = false;
    this.#onchange();
  }
}
