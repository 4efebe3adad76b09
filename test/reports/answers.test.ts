// Our API, held to the suite of every server of the reports.
import { answersCase } from '../cases/answers.case.ts';
import { thirdOfSmallWorld } from '../livechat/service/small-world.ts';
import { subjectOf } from '../zones/agree.ts';
import { apiOf, asCaller, listening } from './served.ts';

answersCase('our API', async () => {
  const subject = await subjectOf(4, 'UTC', 23, Math.floor(Date.now() / 1000), 'everything', thirdOfSmallWorld);
  const { url, close } = await listening(apiOf(subject));
  return {
    url,
    headers: asCaller,
    async close() {
      await close();
      await subject.close();
    },
  };
});
