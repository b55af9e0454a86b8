//===-- loader/info/print.cpp - Rows as a table, JSON or CSV --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/info/report.h"
#include "support/printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuexec::info {

namespace {

std::string version_text(const Image &image) {
  switch (image.format()) {
  case Image::Format::amdgpu:
    return formatv("code object V{0}", image.abi_version());
  case Image::Format::cubin:
    return formatv("ELF ABI version {0}", image.abi_version());
  case Image::Format::ptx:
    break;
  }
  return formatv("PTX ISA {0}.{1}", image.abi_version() / 10,
                 image.abi_version() % 10);
}

/// Prints rows of text with aligned columns. The first column is left-aligned.
class TextTable {
public:
  void add(std::vector<std::string> cells) {
    widths.resize(std::max(widths.size(), cells.size()));
    for (size_t i = 0; i < cells.size(); ++i)
      widths[i] = std::max(widths[i], cells[i].size());
    rows.push_back(std::move(cells));
  }
  void print(raw_ostream &os) const {
    for (const std::vector<std::string> &cells : rows) {
      std::string line = "  ";
      for (size_t i = 0; i < cells.size(); ++i) {
        std::string pad(widths[i] - cells[i].size(), ' ');
        line += i ? "  " + pad + cells[i] : cells[i] + pad;
      }
      os << StringRef(line).rtrim() << '\n';
    }
  }

private:
  std::vector<size_t> widths;
  std::vector<std::vector<std::string>> rows;
};

std::string occupancy_text(const Occupancy &occupancy) {
  return formatv("{0}/{1} {2}%", occupancy.waves, occupancy.max_waves,
                 unsigned(occupancy.fraction() * 100 + 0.5));
}

bool stack_is_dynamic(const Row &row, Column column) {
  return column == Column::stack_with_callees && row.resources->dynamic_stack;
}

void print_rows(raw_ostream &os, ArrayRef<Row> rows, StringRef title,
                bool kernels) {
  // Columns without a value in any row are omitted.
  std::vector<Column> columns;
  for (size_t i = 0; i < COLUMN_COUNT; ++i)
    if (any_of(rows, [&](const Row &row) {
          return row.value(Column(i)) || stack_is_dynamic(row, Column(i));
        }))
      columns.push_back(Column(i));
  TextTable table;
  std::vector<std::string> head{title.str()};
  for (Column column : columns)
    head.push_back(column == Column::vgprs && !rows.front().is_amdgpu
                       ? "REGS"
                       : heading(column).str());
  if (kernels)
    for (StringRef text : {"BLOCK", "WAVES", "LIMIT"})
      head.push_back(text.str());
  table.add(std::move(head));
  for (const Row &row : rows) {
    std::vector<std::string> cells{printable(row.readable)};
    for (Column column : columns) {
      std::optional<uint64_t> value = row.value(column);
      cells.push_back(value                           ? std::to_string(*value)
                      : stack_is_dynamic(row, column) ? "dynamic"
                                                      : "-");
    }
    if (row.occupancy) {
      cells.push_back(std::to_string(row.occupancy->block_size));
      cells.push_back(occupancy_text(*row.occupancy));
      cells.push_back(row.occupancy->limit.str());
    } else if (kernels) {
      cells.insert(cells.end(), 3, "-");
    }
    table.add(std::move(cells));
  }
  table.print(os);
}

StringRef to_string(Global::Space space) {
  return space == Global::Space::constant ? "constant"
         : space == Global::Space::shared ? "shared"
                                          : "global";
}

void print_globals(raw_ostream &os, const Image &image) {
  TextTable table;
  table.add({"SYMBOL", "SIZE", "MEMORY", "SEEN"});
  for (const Global &global : image.globals())
    table.add({printable(global.name),
               global.size ? std::to_string(global.size) : "-",
               to_string(global.space).str(),
               !global.defined  ? "external"
               : global.visible ? "by name"
                                : "inside"});
  table.print(os);
}

void print_opcodes(raw_ostream &os, const ImageReport &report) {
  std::map<std::string, uint64_t> opcodes = all_opcodes(report.code);
  TextTable table;
  table.add({"OPCODE", "COUNT"});
  for (const auto &[opcode, count] : opcodes)
    table.add({opcode, std::to_string(count)});
  if (opcodes.empty())
    os << "  opcodes: not known for a " << report.image->format_name() << '\n';
  else
    table.print(os);
}

void print_init_objects(raw_ostream &os, StringRef what,
                        ArrayRef<InitObject> objects) {
  for (const InitObject &object : objects)
    os << "  " << what << ' ' << object.priority << ": "
       << printable(object.symbol) << '\n';
}

} // namespace

void print_table(raw_ostream &os, const ImageReport &report,
                 const TableOptions &options) {
  const Image &image = *report.image;
  os << printable(image.name()) << ": " << image.format_name() << " for "
     << image.target_id() << ", " << version_text(image);
  if (image.relocatable())
    os << ", not linked";
  if (!image.producer().empty())
    os << ", by " << printable(image.producer());
  os << '\n';
  if (auto client = image.rpc_client())
    os << "  RPC client: " << printable(client->symbol) << ", " << client->size
       << " bytes\n";
  if (!image.kernels().empty())
    print_rows(os, report.kernels, "KERNEL", true);
  else
    os << "  no kernels\n";
  if (!report.resident.empty())
    os << "  on " << report.resident << '\n';
  if (options.functions && !report.functions.empty())
    print_rows(os, report.functions, "FUNCTION", false);
  else if (!report.functions.empty())
    os << "  " << report.functions.size() << " device function"
       << (report.functions.size() == 1 ? "" : "s")
       << " (--functions lists them)\n";
  if (options.symbols) {
    print_init_objects(os, "constructor", image.constructors());
    print_init_objects(os, "destructor", image.destructors());
    print_globals(os, image);
  } else if (!image.constructors().empty() || !image.destructors().empty()) {
    os << "  constructors: " << image.constructors().size()
       << ", destructors: " << image.destructors().size() << '\n';
  }
  if (options.opcodes)
    print_opcodes(os, report);
}

namespace {

void write_parameters(json::OStream &json, const Kernel &kernel) {
  if (!kernel.kind.empty())
    json.attribute("kind", json::fixUTF8(kernel.kind));
  if (kernel.required_block[0])
    json.attributeArray("required_block", [&] {
      for (uint32_t size : kernel.required_block)
        json.value(size);
    });
  json.attributeArray("parameters", [&] {
    for (const Argument &argument : kernel.arguments)
      json.object([&] {
        if (!argument.name.empty())
          json.attribute("name", json::fixUTF8(argument.name));
        json.attribute("offset", argument.offset);
        json.attribute("size", argument.size);
      });
  });
  json.attributeArray("hidden_parameters", [&] {
    for (const HiddenArgument &argument : kernel.hidden)
      json.object([&] {
        json.attribute("kind", to_string(argument.kind));
        json.attribute("offset", argument.offset);
        json.attribute("size", argument.size);
      });
  });
}

void write_descriptor(json::OStream &json, const KernelDescriptor &descriptor) {
  json.attributeObject("descriptor", [&] {
    json.attribute("address", descriptor.address);
    json.attribute("entry", descriptor.entry);
    json.attribute("compute_pgm_rsrc1", descriptor.compute_pgm_rsrc1);
    json.attribute("compute_pgm_rsrc2", descriptor.compute_pgm_rsrc2);
    json.attribute("compute_pgm_rsrc3", descriptor.compute_pgm_rsrc3);
    json.attribute("kernel_code_properties", descriptor.kernel_code_properties);
    json.attribute("kernarg_preload", descriptor.kernarg_preload);
  });
}

void write_occupancy(json::OStream &json, const Occupancy &occupancy) {
  json.attributeObject("occupancy", [&] {
    json.attribute("block_size", occupancy.block_size);
    json.attribute("blocks", occupancy.blocks);
    json.attribute("waves", occupancy.waves);
    json.attribute("max_waves", occupancy.max_waves);
    json.attribute("register_waves", occupancy.register_waves);
    json.attribute("simds", occupancy.simds);
    json.attribute("limit", occupancy.limit);
  });
}

void write_opcodes(json::OStream &json, const FunctionCode &code) {
  json.attributeObject("opcodes", [&] {
    for (const auto &[opcode, count] : code.opcodes)
      json.attribute(opcode, int64_t(count));
  });
  if (code.undecoded)
    json.attribute("undecoded_bytes", code.undecoded);
}

void write_row(json::OStream &json, const Row &row) {
  const Kernel *kernel = row.kernel;
  const Resources &resources = *row.resources;
  json.object([&] {
    json.attribute("name", json::fixUTF8(row.name));
    if (row.readable != row.name)
      json.attribute("demangled", json::fixUTF8(row.readable));
    for (size_t i = 0; i < COLUMN_COUNT; ++i)
      if (auto value = row.value(Column(i)))
        json.attribute(key(Column(i)), *value);
    json.attribute("dynamic_stack", resources.dynamic_stack);
    if (kernel && kernel->shared_reserved)
      json.attribute("shared_reserved", kernel->shared_reserved);
    if (resources.vgpr_spills && resources.sgpr_spills) {
      json.attribute("vgpr_spills", *resources.vgpr_spills);
      json.attribute("sgpr_spills", *resources.sgpr_spills);
    }
    if (kernel)
      write_parameters(json, *kernel);
    if (kernel && kernel->descriptor)
      write_descriptor(json, *kernel->descriptor);
    if (row.occupancy)
      write_occupancy(json, *row.occupancy);
    if (row.code)
      write_opcodes(json, *row.code);
  });
}

void write_init_objects(json::OStream &json, StringRef name,
                        ArrayRef<InitObject> objects) {
  json.attributeArray(name, [&] {
    for (const InitObject &object : objects)
      json.object([&] {
        json.attribute("symbol", json::fixUTF8(object.symbol));
        json.attribute("priority", object.priority);
      });
  });
}

void write_image(json::OStream &json, const ImageReport &report) {
  const Image &image = *report.image;
  json.object([&] {
    json.attribute("file", json::fixUTF8(report.file));
    json.attribute("name", json::fixUTF8(image.name()));
    json.attribute("format", image.format_name());
    json.attribute("triple", image.triple());
    json.attribute("arch", image.arch());
    json.attribute("target", image.target_id());
    json.attributeObject("features", [&] {
      // Features that the target id requires, such as "sramecc+".
      SmallVector<StringRef> parts;
      image.target_id().split(parts, ':');
      for (StringRef feature : drop_begin(parts))
        json.attribute(feature.drop_back(), feature.ends_with("+"));
    });
    json.attribute("abi_version", image.abi_version());
    json.attribute("producer", json::fixUTF8(image.producer()));
    json.attribute("linked", !image.relocatable());
    if (!report.resident.empty())
      json.attribute("resident", json::fixUTF8(report.resident));
    if (auto client = image.rpc_client())
      json.attributeObject("rpc_client", [&] {
        json.attribute("symbol", client->symbol);
        json.attribute("size", client->size);
      });
    json.attributeArray("kernels", [&] {
      for (const Row &row : report.kernels)
        write_row(json, row);
    });
    json.attributeArray("functions", [&] {
      for (const Row &row : report.functions)
        write_row(json, row);
    });
    json.attributeArray("symbols", [&] {
      for (const Global &global : image.globals())
        json.object([&] {
          json.attribute("name", json::fixUTF8(global.name));
          json.attribute("size", global.size);
          json.attribute("memory", to_string(global.space));
          json.attribute("visible", global.visible);
          json.attribute("defined", global.defined);
        });
    });
    write_init_objects(json, "constructors", image.constructors());
    write_init_objects(json, "destructors", image.destructors());
  });
}

std::string csv_cell(StringRef text) {
  std::string safe = printable(text);
  if (safe.find_first_of(",\"") == std::string::npos)
    return safe;
  std::string quoted = "\"";
  for (char character : safe)
    quoted +=
        character == '"' ? std::string("\"\"") : std::string(1, character);
  return quoted + "\"";
}

} // namespace

void print_json(raw_ostream &os,
                ArrayRef<std::unique_ptr<ImageReport>> reports) {
  std::string text;
  raw_string_ostream text_os(text);
  json::OStream json(text_os, 2);
  json.object([&] {
    json.attribute("version", 1);
    json.attributeArray("images", [&] {
      for (const std::unique_ptr<ImageReport> &report : reports)
        write_image(json, *report);
    });
  });
  os << printable_json(text) << '\n';
}

void print_csv(raw_ostream &os,
               ArrayRef<std::unique_ptr<ImageReport>> reports) {
  os << "file,target,kind,name";
  for (size_t i = 0; i < COLUMN_COUNT; ++i)
    os << ',' << key(Column(i));
  os << ",block_size,blocks,waves,max_waves,limit\n";
  for (const std::unique_ptr<ImageReport> &report : reports) {
    auto write = [&](const Row &row) {
      os << csv_cell(report->file) << ','
         << csv_cell(report->image->target_id()) << ','
         << (row.kernel ? "kernel" : "function") << ',' << csv_cell(row.name);
      for (size_t i = 0; i < COLUMN_COUNT; ++i) {
        os << ',';
        if (auto value = row.value(Column(i)))
          os << *value;
      }
      if (row.occupancy)
        os << ',' << row.occupancy->block_size << ',' << row.occupancy->blocks
           << ',' << row.occupancy->waves << ',' << row.occupancy->max_waves
           << ',' << row.occupancy->limit << '\n';
      else
        os << ",,,,,\n";
    };
    for (const Row &row : report->kernels)
      write(row);
    for (const Row &row : report->functions)
      write(row);
  }
}

} // namespace gpuexec::info
