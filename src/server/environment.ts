// The environment of this process, for the processes that it starts. It imports nothing: a command that restarts itself loads little before.

/** The environment that a child process gets: this one and more. */
export const environmentWith = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
});

/** Gives a variable to every process that this one starts from now on, unless it has a value. */
export function handOn(name: string, value: string): void {
  process.env[name] ??= value;
}
