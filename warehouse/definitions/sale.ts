// Which records of goals are worth something, over `facts.chat_goals as g`.

/** A record with a price. */
export const priced = "g.price > 0 and g.currency is not null and g.currency <> ''";
/** A tracked sale that is worth something. */
export const sale = `g.is_sale_tracker and ${priced}`;
