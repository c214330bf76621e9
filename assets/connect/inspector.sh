npx @modelcontextprotocol/inspector --cli http://127.0.0.1:4517/mcp --transport http \
  --header "Authorization: Bearer $SIMMER_TOKEN" --method tools/list
