# The same with R and none of its packages, from the CSV of three metrics: URL FROM TO.
# Where people sign in: url(…, headers = c(Authorization = paste("Bearer", Sys.getenv("CHATLEDGER_TOKEN")))).
arguments <- commandArgs(trailingOnly = TRUE)
metric <- function(id) {
  read.csv(url(sprintf("%s/api/metrics/%s.csv?from=%s&to=%s&grain=day", arguments[1], id, arguments[2], arguments[3])))
}
chats <- metric("total_chats")
ratings <- metric("chat_ratings")
responses <- metric("first_response_time")
answered <- responses[!is.na(responses$seconds), ]
cat(sprintf(
  '{"chats": %d, "busiest_day": %d, "good": %d, "csat": %.15g, "first_response_seconds": %.15g}\n',
  sum(chats$chats), max(chats$chats), sum(ratings$good),
  sum(ratings$good) / sum(ratings$good + ratings$bad),
  sum(answered$count * answered$seconds) / sum(answered$count)
))
