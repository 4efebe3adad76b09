// Builds the app as `start` does, which then finds it built: `npm run build`.
import { build, isBuilt } from './build.ts';
import { createChildren } from './children.ts';
import { leave, report } from './shutdown.ts';

try {
  if (!isBuilt()) await build(createChildren());
} catch (error) {
  report(error);
}
await leave();
