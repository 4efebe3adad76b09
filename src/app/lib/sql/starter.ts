// The first query of the page SQL: the chats of each day as the page Chats counts them, in the account's zone.

/** What stands in the first tab where nothing was asked before. */
export const starter = `-- chats by day
select day, sum(chats) as chats
from metrics.total_chats
group by day
order by day desc
limit 20`;
