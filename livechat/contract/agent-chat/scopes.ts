// Scopes of the Agent Chat Web API v3.5. `--access` reaches the chats of the own groups, `--all` those of everybody.

export const readChats = ['chats--all:ro', 'chats--access:ro'] as const;
export const writeChats = ['chats--all:rw', 'chats--access:rw'] as const;
export const readCustomers = ['customers:ro'] as const;
export const writeCustomers = ['customers:rw'] as const;
