// onward: search, show and brief as tools, for the model to look things up in earlier sessions.
// An entry of the same name in opencode.json goes before this one.
export const OnwardMcp = async () => ({
  config: async (config) => {
    config.mcp = { onward: { type: "local", command: ["onward", "mcp"] }, ...config.mcp }
  },
})
