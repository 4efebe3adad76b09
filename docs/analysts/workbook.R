# The same with readxl, from the Excel workbook of one statement: URL FROM TO.
# Where people sign in: one more header in `sent`, paste("Authorization: Bearer", Sys.getenv("CHATLEDGER_TOKEN")).
arguments <- commandArgs(trailingOnly = TRUE)
statement <- paste(readLines("questions.sql"), collapse = "\\n")
asked <- sprintf(
  '{"statement": "%s", "parameters": {"from": "%s", "to": "%s"}, "format": "xlsx"}',
  statement, arguments[2], arguments[3]
)
file <- tempfile(fileext = ".xlsx")
sent <- c("--silent", "--fail", "--header", "'Content-Type: application/json'", "--data", shQuote(asked))
download.file(paste0(arguments[1], "/api/sql/file"), file, method = "curl", quiet = TRUE, extra = sent)
numbers <- readxl::read_excel(file)
cat(sprintf(
  '{"chats": %d, "busiest_day": %d, "good": %d, "csat": %.15g, "first_response_seconds": %.15g}\n',
  as.integer(numbers$chats), as.integer(numbers$busiest_day), as.integer(numbers$good),
  numbers$csat, numbers$first_response_seconds
))
