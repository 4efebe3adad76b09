// Sends actions over connections that stay open, with as little work of its own as there can be.
import { Agent, request } from 'node:http';

export interface Asked {
  name: string;
  path: string;
  token: string;
  body: unknown;
}

export type Answer = Record<string, string>;

/** Throws where the answer is not 200. */
export function doorOf(port: number): { ask: (asked: Asked) => Promise<Answer>; close: () => void } {
  const agent = new Agent({ keepAlive: true });
  const ask = ({ name, path, token, body }: Asked): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
      };
      const sent = request({ agent, port, host: '127.0.0.1', path, method: 'POST', headers }, (response) => {
        let answer = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => (answer += piece));
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200) resolve(JSON.parse(answer) as Answer);
          else reject(new Error(`${name}: ${response.statusCode} ${answer}`));
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
  return { ask, close: () => agent.destroy() };
}
