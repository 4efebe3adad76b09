// The page of the service: starts the visitor's half and the agent's.
import { startAgent } from './agent.js';
import { startVisitor } from './visitor.js';

const groups = startVisitor();
void startAgent(groups);
