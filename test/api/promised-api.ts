// The API as the product makes it, each of whose JSON answers is held against the contract when a test asks for it.
import { createApi } from '#api/app.ts';
import type { ApiDeps } from '#api/deps.ts';
import { expectPromised } from './promised.ts';

export function promisedApi(deps: ApiDeps): ReturnType<typeof createApi> {
  const api = createApi(deps);
  const request: typeof api.request = api.request.bind(api);
  api.request = async (input, init, ...rest) => {
    const answer = await request(input, init, ...rest);
    // Other media may be streams without an end.
    if (answer.headers.get('content-type')?.startsWith('application/json')) {
      const path = input instanceof Request ? input.url : String(input);
      const method = input instanceof Request ? input.method : (init?.method ?? 'GET');
      expectPromised(method, path, answer.status, await answer.clone().text());
    }
    return answer;
  };
  return api;
}
