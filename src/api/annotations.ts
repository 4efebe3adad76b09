// Notes on days of an account, shown as flags on every chart over time.
import type { Hono } from 'hono';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { TooMany } from './user-data.ts';
import { accountOf, callerIn, readerOf } from './context.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import { listAnnotations, removeAnnotation, saveAnnotation, type Annotation } from './contract/user-data.ts';
import { daysIn } from './question.ts';
import { bodyOf, queryOf } from './validation.ts';

export function addAnnotations(app: Hono, deps: ApiDeps): void {
  const { annotations } = deps.userData;
  app.get(listAnnotations.path, (c) => {
    const { account, ...days } = queryOf(c, listAnnotations.query);
    const { from, to } = daysIn(days);
    c.header('cache-control', 'no-store');
    const { id } = accountOf(deps, readerOf(c), account);
    return c.json<AnswerOf<typeof listAnnotations>>({ annotations: annotations.list(id, from, to) });
  });

  const written = (by: string, note: Parameters<typeof annotations.save>[1]): Annotation | undefined => {
    try {
      return annotations.save(by, note);
    } catch (error) {
      if (error instanceof TooMany) throw new Declined('conflict', error.message);
      throw error;
    }
  };
  app.put(saveAnnotation.path, async (c) => {
    const { account, ...note } = await bodyOf(c, saveAnnotation.body);
    const { user, reader } = callerIn(c);
    const saved = written(user?.name ?? reader.id, { ...note, account: accountOf(deps, reader, account).id });
    if (!saved) throw new Declined('not_found', `there is no note ${note.id ?? ''}`);
    return c.json<Annotation>(saved);
  });

  app.delete(routed(removeAnnotation), (c) => {
    const id = c.req.param('id');
    if (!annotations.remove(accountOf(deps, readerOf(c), queryOf(c, removeAnnotation.query).account).id, id))
      throw new Declined('not_found', `there is no note ${id}`);
    return c.body(null, 204);
  });
}
