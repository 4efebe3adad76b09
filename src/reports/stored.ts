// Stored source reports exist only as they were pulled: for the whole account, one group or one agent.
import { reports, type ReportArgs, type ReportId } from '#contract/reports.ts';
import { BadArguments } from './errors.ts';

/** @throws BadArguments, with a sentence for each argument that no stored answer can serve. */
export function refuseUnstored(id: ReportId, { groups, agents, tags, goal, greeting }: ReportArgs): void {
  const whose = reports[id].takes.filter((kind) => kind !== 'tag' && (kind !== 'agent' || id !== 'ticket_ranking'));
  const only = `${reports[id].path} is stored as the source gave it, for the whole account${whose.map((kind) => ` or one ${kind}`).join('')}`;
  const complaints: string[] = [];
  if (tags.length > 0) complaints.push(`tag: ${only}, not by tag`);
  if (groups.length > 1) complaints.push(`group: ${only}; several at once cannot be added up, ask for each alone`);
  if (agents.length > 1) complaints.push(`agent: ${only}; several at once cannot be added up, ask for each alone`);
  if (groups.length > 0 && agents.length > 0) complaints.push(`agent: ${only}, not by both at once`);
  if (goal !== undefined) complaints.push(`goal: ${only}, not by goal`);
  if (greeting !== undefined) complaints.push(`greeting: ${only}, not by greeting`);
  if (complaints.length > 0) throw new BadArguments(complaints);
}
