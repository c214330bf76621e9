/** The events of a Server-Sent Events response, their data parsed as JSON. Comments are skipped. */
export async function* eventsOf(response) {
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + text).split("\n\n");
    rest = frames.pop();
    for (const frame of frames) {
      const data = frame.split("\n").filter((line) => line.startsWith("data:"));
      if (data.length > 0) yield JSON.parse(data.map((line) => line.slice(5)).join("\n"));
    }
  }
}
