// The version of this program, as its package says.
import packageJson from '../../package.json' with { type: 'json' };

export const programVersion: string = packageJson.version;
